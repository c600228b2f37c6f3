"""Play-testing in the terminal.

The headless part needs no terminal and may be used by any program:
`session` (turns, undo, branches), `shorthand` (what people type), `saves`, `hints`,
`coverage`, `skein`, `workshop` (a script that is being edited). The app draws what they say.
Modules here import one another relatively: the folder is `tui` in a checkout and
`worldengine.tui` where the project is installed.
"""
