"""What goes wrong, one function each: a folder and how often in, a row out."""
