package facet.device.cpu.random;

import java.util.function.Function;

/** Branches and loops around other statements. */
final class Flow {
    private final Draw draw;
    private final Straight straight;
    private final Function<Place, Node.Group> body;
    private final Loops lone;

    Flow(Draw draw, Straight straight, Function<Place, Node.Group> body) {
        this.draw = draw;
        this.straight = straight;
        this.body = body;
        this.lone = new Loops(draw, straight, body);
    }

    Node.Group statement(Place place) {
        String mask = place.mask();
        boolean loops = place.loops() < 2;
        return switch (draw.below(mask == null ? 7 : 12)) {
            case 0 -> uniformBranch(place);
            case 1 -> loops ? uniformLoop(place) : uniformBranch(place);
            case 2 -> loneBranch(place);
            case 3 -> loops ? lone.loneLoop(place) : loneBranch(place);
            case 4 -> loops ? lone.twoEntries(place) : loneSwitch(place);
            case 5 -> loneSwitch(place);
            case 6 -> loops ? lone.tangle(place) : loneBranch(place);
            case 7, 8 -> maskedBranch(place, String.valueOf(mask));
            case 9 -> votedBranch(place, String.valueOf(mask));
            case 10 -> uniformSwitch(place);
            default ->
                    loops
                            ? maskedLoop(place, String.valueOf(mask))
                            : maskedBranch(place, String.valueOf(mask));
        };
    }

    private Node.Group choose(Node.Group group, String predicate, Place then, Place otherwise) {
        String other = draw.label();
        String end = draw.label();
        group.add("@!" + predicate + " bra " + other + ";");
        group.add(body.apply(then));
        if (draw.chance(2)) {
            return group.add(other + ":");
        }
        group.add("bra " + end + ";", other + ":");
        group.add(body.apply(otherwise));
        return group.add(end + ":");
    }

    private Node.Group uniformBranch(Place place) {
        String bit = draw.temporary();
        String predicate = draw.predicate();
        Node.Group group =
                Node.Group.of(
                        "and.b32 "
                                + bit
                                + ", "
                                + draw.uniform()
                                + ", "
                                + (1 << draw.below(4))
                                + ";",
                        "setp." + draw.one("eq", "ne") + ".u32 " + predicate + ", " + bit + ", 0;");
        return choose(group, predicate, place.deeper(), place.deeper());
    }

    private Node.Group loneBranch(Place place) {
        Node.Group group = Node.Group.of();
        String predicate = straight.condition(group, 1 + draw.below(2));
        String end = draw.label();
        choose(group, predicate, place.alone(end), place.alone(end));
        return group.add(end + ":");
    }

    private Node.Group maskedBranch(Place place, String mask) {
        Node.Group group = Node.Group.of();
        String predicate = straight.condition(group, 1 + draw.below(2));
        String then = draw.temporary();
        String otherwise = draw.temporary();
        group.add(
                "vote.sync.ballot.b32 " + then + ", " + predicate + ", " + mask + ";",
                "not.b32 " + otherwise + ", " + then + ";",
                "and.b32 " + otherwise + ", " + otherwise + ", " + mask + ";");
        return choose(group, predicate, place.among(then), place.among(otherwise));
    }

    /** All threads of the mask go the same way. */
    private Node.Group votedBranch(Place place, String mask) {
        Node.Group group = Node.Group.of();
        String predicate = straight.condition(group, 2 + draw.below(3));
        String voted = draw.predicate();
        group.add(
                "vote.sync."
                        + draw.one("any", "all")
                        + ".pred "
                        + voted
                        + ", "
                        + predicate
                        + ", "
                        + mask
                        + ";");
        return choose(group, voted, place.among(mask), place.among(mask));
    }

    private Node.Group uniformLoop(Place place) {
        Node.Group group = Node.Group.of();
        String trips = lone.trips(group, draw.uniform());
        String counter = draw.temporary();
        String head = draw.label();
        String end = draw.label();
        String done = draw.predicate();
        group.add("mov.u32 " + counter + ", 0;", head + ":");
        group.add(
                "setp.ge.u32 " + done + ", " + counter + ", " + trips + ";",
                "@" + done + " bra " + end + ";");
        group.add(body.apply(place.inLoop()));
        return group.add(
                "add.u32 " + counter + ", " + counter + ", 1;", "bra " + head + ";", end + ":");
    }

    /** Each time round, the threads that go on find out about each other. */
    private Node.Group maskedLoop(Place place, String mask) {
        Node.Group group = Node.Group.of();
        String trips = lone.trips(group, draw.variable());
        String active = draw.temporary();
        String counter = draw.temporary();
        String head = draw.label();
        String end = draw.label();
        String more = draw.predicate();
        group.add(
                "mov.b32 " + active + ", " + mask + ";", "mov.u32 " + counter + ", 0;", head + ":");
        group.add("setp.lt.u32 " + more + ", " + counter + ", " + trips + ";");
        group.add("vote.sync.ballot.b32 " + active + ", " + more + ", " + active + ";");
        group.add("@!" + more + " bra " + end + ";");
        group.add(body.apply(place.inLoop().among(active)));
        return group.add(
                "add.u32 " + counter + ", " + counter + ", 1;", "bra " + head + ";", end + ":");
    }

    private Node.Group loneSwitch(Place place) {
        String end = draw.label();
        return choice(place.alone(end), draw.variable(), end);
    }

    private Node.Group uniformSwitch(Place place) {
        return choice(place.deeper(), draw.uniform(), draw.label());
    }

    private Node.Group choice(Place arms, String value, String end) {
        String index = draw.temporary();
        String list = draw.label();
        String[] labels = {draw.label(), draw.label(), draw.label(), draw.label()};
        Node.Group group = Node.Group.of("and.b32 " + index + ", " + value + ", 3;");
        group.add(list + ": .branchtargets " + String.join(", ", labels) + ";");
        group.add("brx.idx " + index + ", " + list + ";");
        for (String each : labels) {
            group.add(each + ":");
            if (draw.chance(2)) {
                group.add(body.apply(arms));
            }
            if (draw.chance(2)) {
                group.add("bra " + end + ";");
            }
        }
        return group.add(end + ":");
    }
}
