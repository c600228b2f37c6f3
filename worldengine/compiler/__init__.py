"""The compiler: a script's text in, a Machine or diagnostics out. Pure; touches no files but
the library that ships with it.

```
text → syntax tree → Tables (collect) → Resolved (resolve) → Ground → Machine (assemble)
```
"""

from worldengine.compiler.pipeline import Compilation, CompileError, compile, compile_source

__all__ = ["Compilation", "CompileError", "compile", "compile_source"]
