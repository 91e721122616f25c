/*
 * The document's first module, and a small one: it asks the server who we are while React is still on its way.
 */
import { start } from './start.ts'

void start()
