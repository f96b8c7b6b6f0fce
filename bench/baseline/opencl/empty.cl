// Does nothing: what is left is the cost of a launch.
kernel void empty() {}
