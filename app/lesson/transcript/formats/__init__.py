"""One module a transcript format; `read.py` beside this folder chooses among them."""
