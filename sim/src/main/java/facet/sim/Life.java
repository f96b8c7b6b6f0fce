package facet.sim;

import facet.place.Job;

/** A task that is on its way through the cluster. */
final class Life {
    final Task task;
    final Job job;
    long waitsSince;
    long waited;
    long began;
    long end;
    boolean hasBegun;

    Life(Task task) {
        this.task = task;
        Standing standing = task.standing();
        job =
                new Job(
                        task.name(),
                        task.request(),
                        standing.queue(),
                        standing.priority(),
                        new Job.Stay(task.duration(), standing.leaving(), standing.grace()));
        waitsSince = task.arrives();
    }
}
