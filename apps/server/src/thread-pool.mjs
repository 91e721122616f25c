/*
 * Node answers calls to files, the lookup of host names and password hashes with one pool of four threads. A call to a
 * folder that hangs keeps its thread, so the pool is larger than all that folders may take (platform/places/gate.ts).
 * The size is read at the first such call: this module must run before any other.
 */
process.env.UV_THREADPOOL_SIZE ??= '32'
