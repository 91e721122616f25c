import { serve } from '../../serve.ts'
import { workKinds } from './work-kinds.ts'

// A separate server process for tests that kill or freeze it. Its settings come from the environment.
await serve(process.env, { withoutConsole: true, taskKinds: workKinds })
