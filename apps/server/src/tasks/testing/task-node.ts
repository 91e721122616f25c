import { serve } from '../../serve.ts'
import { workKinds } from './work-kinds.ts'

// A server process of its own, for tests that kill and freeze it. Its settings come from the environment.
await serve(process.env, { withoutConsole: true, taskKinds: workKinds })
