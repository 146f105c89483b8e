// Package host tells whether anybody shows tray icons. On Linux that is a
// StatusNotifierWatcher on the session bus that has a host; Windows always has a
// notification area; elsewhere the answer is no. Its calls wait for the bus within
// a bound.
package host
