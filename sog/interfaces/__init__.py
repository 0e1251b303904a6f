"""How people and programs reach the package: the command line, its pictures, protocols of engines."""
