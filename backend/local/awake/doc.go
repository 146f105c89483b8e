// Package awake keeps the computer from going to sleep by itself; whoever closes
// the lid or asks for sleep still gets it. A Keeper holds one request at a time
// and gives it back; the system takes it back itself when the program ends. Its
// calls wait for the system within a bound.
package awake
