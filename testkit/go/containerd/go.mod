// What runs the containers of a kubelet.
module facet.dev/testkit/containerd

go 1.26.0

require github.com/containerd/containerd/v2 v2.3.7
