"""Language models, wherever they run: a transformers model in a folder, or a compatible server.

Players and authors ask the same clients. Libraries are loaded when a model is made.
"""
