"""How people and programs reach the package: the command line and its pictures."""
