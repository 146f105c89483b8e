// Package benchtable turns the output of `go test -bench -benchmem` into a table
// for a README.
//
// A benchmark compares things side by side in one run. The convention:
//
//   - The last part of a benchmark's name is the contender, all before it is the
//     group: BenchmarkFrames/small/ours and BenchmarkFrames/small/rawpipe are the
//     contenders ours and rawpipe of the group Frames/small. A benchmark without
//     sub-benchmarks is a group of one, without a contender.
//   - The baseline is the first contender whose name begins with raw, else the
//     first that is not called ours, in the order of the run. Every other one is
//     shown as a multiple of it. Contenders that are all numbers are sizes of one
//     thing; the first is the baseline. Where there is neither raw nor ours nor
//     a size, the members of a group are shown and not compared.
//   - What is shown are the metrics that the benchmark reports itself
//     (b.ReportMetric(n, "frames/s"), b.SetBytes for MB/s); time per operation
//     only where there are none. Allocations per operation stand beside the
//     first of them.
//   - With -count, the median of the repetitions is shown.
//
// The package is pure.
package benchtable
