# Help for the commands that only ./facet of the sources has. It reads this file.
#
# shellcheck shell=bash
# shellcheck disable=SC2154 # bold, plain and needed are the script's

own_help() {
    cat << EOF
${bold}Work on it${plain}
  test [MODULE]      build and run all tests, or those of a module; --quick: some, in minutes
  stress [OPTIONS]   run the rings under jcstress; a minute, or with the options of jcstress
  filetest [PATHS]   run the file tests
  bless [PATHS]      write what the file tests give as their expectation
  explore [N] [SEED] try N random accesses of kernels, 10 million by default, with new seeds
  fmt                format the sources
  lint               check the format and compile with every check on
  bench [device]     measure the software GPU, and compare with PoCL and gcc where they are
  bench path         measure what calls cost a program that runs on Facet
  bench isolation    measure whether slices get what they were promised
  bench containers   measure what a slice adds to the start of a container, and its share
  bench dashboard    measure what the dashboard costs the daemon and the browser
  bench forwarded-vendor  measure what calls cost on a vendor's device, beside the driver itself
  bench kube         measure how many pods a second are bound, on a control plane of Kubernetes
  bench neighbours   measure what a slice keeps while another one is hostile
  bench newcomer     measure how soon a program that begins is as fast as it gets
  bench package      measure how fast the packaged daemon starts
  bench place        measure how much of a cluster placing puts to use, and what a decision costs
  bench rewrite      measure what it costs kernels that their launches can be parted
  bench soak         measure whether a daemon grows while programs come and go
  bench --check      measure what SPECIFICATION.md promises, but for package, place, rewrite and soak, and say what no longer holds
  screenshots        take the pictures of the dashboard in docs again
  package            make a Debian package and a tarball

JDK, Maven and gcc are taken from the system's packages where they are missing, after a question; --yes, after any of
these commands and after demo and up, answers it.

${bold}Environment for that${plain}
  JAVA_HOME          a JDK $needed or newer; looked for in the usual places when it is not one
  MAVEN_HOME         Maven, when it is not on PATH
  CUDA_HOME          CUDA 13.0, when it is neither on PATH nor in /usr/local

EOF
}

# own_command_help COMMAND
own_command_help() {
    case $1 in
        test)
            cat << EOF
Usage: facet test [--yes] [MODULE]
       facet test --quick
       facet test --explore MINUTES
       facet test --seed SEED

Builds Facet and runs all tests, or those of one module, such as device-cpu. What the machine lacks is taken from the
system's packages, after a question. Where CUDA 13.0 is missing it is fetched from PyPI into ~/.cache/facet first, so
that no test is left out for want of it; without a network these tests are skipped. At the end stands what was skipped
and why; the last line tells how many passed, failed and were skipped.

  --yes              install what is missing without asking
  --quick            the language, the software GPU, the command line, and some programs on a daemon: some minutes, two
                     modules at a time
  --explore MINUTES  the tests that draw numbers, again and again with other ones; a usual run has the same each time
  --seed SEED        these tests once, with the numbers of a round of --explore

Logs are in target/facet, reports in MODULE/target/surefire-reports.

Examples:
  facet test
  facet test ptx
  facet test --quick
  facet test --yes
  facet test --explore 30

Exit codes: 0 all passed, 1 some failed, 2 wrong usage.
EOF
            ;;
        stress)
            cat << EOF
Usage: facet stress [OPTIONS OF JCSTRESS]

Runs the rings and reply slots under jcstress, which looks for results that must not be. It takes a minute; with
options it takes what they say.

Examples:
  facet stress
  facet stress -m default -t RingStress
EOF
            ;;
        filetest | bless)
            cat << EOF
Usage: facet filetest [PATHS]
       facet bless [PATHS]

A file test is a PTX file that says what is to be run and what it gives. filetest runs those in the files and folders
named, all of filetests when none is; bless writes what they give into them as their expectation. Check that against
the manual before you commit it.

Examples:
  facet filetest filetests/arithmetic
  facet bless filetests/arithmetic/add.ptx
EOF
            ;;
        explore)
            cat << EOF
Usage: facet explore [ACCESSES] [SEED]

Lets kernels access memory in random ways, 10 million by default, in scalar and in vector code, and compares each access
with a slow checker that says whether it is inside. Memory around is looked at afterwards. Begins with a new seed.

Examples:
  facet explore
  facet explore 1000000 42
EOF
            ;;
        fmt)
            cat << EOF
Usage: facet fmt

Formats the Java sources (google-java-format, AOSP style), and those in C and CUDA (clang-format; testkit/clang-format
fetches the version that everybody uses).
EOF
            ;;
        lint)
            cat << EOF
Usage: facet lint

Checks the format, and compiles with Error Prone, NullAway and all warnings as errors. Changes nothing.
EOF
            ;;
        bench)
            cat << EOF
Usage: facet bench [SUITE] [OPTIONS]

  device       the software GPU; compared with PoCL and gcc where they are (what you get without a name)
  path         what calls cost a program that runs on Facet
  isolation    whether slices get what they were promised
  containers   what a slice adds to the start of a container, and its share
  dashboard    what the dashboard costs the daemon and the browser
  forwarded-vendor  what calls cost on a vendor's device, beside the driver itself (Facet on Facet)
  neighbours   what a slice keeps while another one is hostile
  newcomer     how soon a program that begins is as fast as it gets, alone and beside busy slices
  package      how fast the packaged daemon starts
  place        how much of a cluster placing puts to use on the traces in --traces DIR, and what a decision costs
  rewrite      what it costs kernels that their launches can be parted
  soak         whether a daemon grows while programs come and go
  --check      what all of them but forwarded-vendor, package, place, rewrite and soak promise: what holds and what does not; --quick or --only NAME for less

'facet bench SUITE --help' explains what it measures and its options, bench/README.md how.
EOF
            ;;
        screenshots)
            cat << EOF
Usage: facet screenshots

Takes the pictures of the dashboard in docs again, with chromium and chromedriver. It takes some minutes, so that there
is a past to show.
EOF
            ;;
        package) "$root/packaging/build" --help ;;
    esac
}
