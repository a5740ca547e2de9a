from .syntax import sizes, indices, tensor, total, define, System, delta, iverson
