package history_test

// runHelper is what the test binary does when it is started as another program.
func runHelper() bool { return false }
