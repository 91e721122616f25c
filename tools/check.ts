// npm run check: everything that needs neither a database nor a browser, one line per step.
import { runStep, staticSteps, vitestCommand } from './steps.ts'

const unitTests = { name: 'unit tests', commands: [vitestCommand(['--project', 'unit'])] }

for (const step of [...staticSteps, unitTests]) {
  if (!(await runStep(step))) process.exitCode = 1
}
