"""`lastspike play`: in the browser or in the terminal."""
