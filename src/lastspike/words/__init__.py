"""Every sentence the game shows: gettext catalogues, events, hints and answers."""
