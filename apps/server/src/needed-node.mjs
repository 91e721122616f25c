/*
 * Runs before any module that old versions of Node cannot read. Exit code 78: the service must not restart.
 */
const neededMajor = 24
if (Number.parseInt(process.versions.node, 10) < neededMajor) {
  console.error(
    `Pult needs Node ${neededMajor} or later, this is ${process.versions.node}. "npm start" uses a right one.`,
  )
  process.exit(78)
}
