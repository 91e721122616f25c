// npm run check: everything that needs neither a database nor a browser, one line per step.
import { runStep, staticSteps, vitestCommand } from './steps.ts'
import { testProjects } from './test-projects.ts'

const light = testProjects.filter(({ needsServer, needsBrowser }) => !needsServer && !needsBrowser)
const projects = light.flatMap(({ name }) => ['--project', name])
const unitTests = { name: 'unit tests', commands: [vitestCommand(projects)] }

for (const step of [...staticSteps, unitTests]) {
  if (!(await runStep(step))) process.exitCode = 1
}
