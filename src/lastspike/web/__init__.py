"""What the browser gets: HTML, CSS and ES modules, as they are, without a build step."""
