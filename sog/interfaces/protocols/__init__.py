"""Engines for other programs: sessions of UCI and GTP, as machines that take lines and write lines."""
