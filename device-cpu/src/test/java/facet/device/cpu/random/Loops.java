package facet.device.cpu.random;

import java.util.function.Function;

/** Loops that each thread takes for itself. */
final class Loops {
    private final Draw draw;
    private final Straight straight;
    private final Function<Place, Node.Group> body;

    Loops(Draw draw, Straight straight, Function<Place, Node.Group> body) {
        this.draw = draw;
        this.straight = straight;
        this.body = body;
    }

    Node.Group loneLoop(Place place) {
        Node.Group group = Node.Group.of();
        String trips = trips(group, draw.variable());
        String head = draw.label();
        String latch = draw.label();
        String end = draw.label();
        String more = draw.predicate();
        group.add(head + ":");
        group.add(body.apply(place.inLoop().alone(end).alone(latch)));
        group.add(latch + ":", "sub.u32 " + trips + ", " + trips + ", 1;");
        group.add("setp.gt.s32 " + more + ", " + trips + ", 0;");
        return group.add("@" + more + " bra " + head + ";", end + ":");
    }

    /** A loop that some threads enter in the middle: irreducible. */
    Node.Group twoEntries(Place place) {
        Node.Group group = Node.Group.of();
        String trips = trips(group, draw.variable());
        String predicate = straight.condition(group, 1);
        String head = draw.label();
        String middle = draw.label();
        String end = draw.label();
        String more = draw.predicate();
        Place inside = place.inLoop().alone(end);
        group.add("@" + predicate + " bra " + middle + ";", head + ":");
        group.add(body.apply(inside)).add(middle + ":").add(body.apply(inside));
        group.add(
                "sub.u32 " + trips + ", " + trips + ", 1;",
                "setp.gt.s32 " + more + ", " + trips + ", 0;");
        return group.add("@" + more + " bra " + head + ";", end + ":");
    }

    /** Pieces that jump to each other at will while there is fuel. */
    Node.Group tangle(Place place) {
        Node.Group group = Node.Group.of();
        String fuel = draw.temporary();
        String end = draw.label();
        String[] labels = new String[3 + draw.below(3)];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = draw.label();
        }
        group.add("mov.u32 " + fuel + ", " + (2 + draw.below(6)) + ";");
        for (String each : labels) {
            String empty = draw.predicate();
            group.add(each + ":", "sub.u32 " + fuel + ", " + fuel + ", 1;");
            group.add(
                    "setp.le.s32 " + empty + ", " + fuel + ", 0;",
                    "@" + empty + " bra " + end + ";");
            group.add(body.apply(new Place(false, null, 9, 9, place.alone(end).escapes())));
            String predicate = straight.condition(group, 1);
            group.add("@" + predicate + " bra " + draw.one(labels) + ";");
        }
        return group.add("bra " + draw.one(labels) + ";", end + ":");
    }

    String trips(Node.Group group, String from) {
        String trips = draw.temporary();
        group.add("shr.u32 " + trips + ", " + from + ", " + draw.below(8) + ";");
        group.add("and.b32 " + trips + ", " + trips + ", 3;");
        return trips;
    }
}
