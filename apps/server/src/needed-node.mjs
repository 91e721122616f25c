/*
 * Runs before any module that old versions of Node cannot read. Exit code 78: the service must not restart.
 */
import { logLine } from './platform/log-line.mjs'

const neededMajor = 24
if (Number.parseInt(process.versions.node, 10) < neededMajor) {
  const { node } = process.versions
  process.stderr.write(
    logLine(
      'fatal',
      `Pult needs Node ${neededMajor} or later, this is ${node}. "npm start" uses a right one.`,
    ),
  )
  process.exit(78)
}
