// Package notice gathers what the licences of others ask to be passed on: whose
// work is inside a program, under which licence, with which texts. It reads
// licence files in the folders it is given, and fails closed: a work without a
// licence that is known here is an error, never left out.
package notice
