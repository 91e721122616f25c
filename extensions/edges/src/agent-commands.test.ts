import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { agentCommands, isLocalAddress, runModes } from './agent-commands.ts'

const enrolment = { origin: 'https://pult.example.org', code: '7K2QD-M9XAB-0TRZC-HW4EN' }

/** Runs a command in a shell whose programs only print their arguments and input. */
async function runPretending(command: string): Promise<string> {
  const pretend = `exec 3>&1 < /dev/null; for name in sudo curl node docker; do eval "$name() { { echo \\"$name \\$*\\"; cat; } >&3; }"; done`
  const { stdout } = await promisify(execFile)('bash', ['-c', `${pretend}\nset -e\n${command}`])
  return stdout
}

test.each(runModes)('a shell runs the command for %s to its end, with address and code', async (mode) => {
  const output = await runPretending(agentCommands[mode](enrolment))
  expect(output).toContain('https://pult.example.org/api/edges/edge-agent.mjs')
  expect(output).toContain('--server https://pult.example.org --code 7K2QD-M9XAB-0TRZC-HW4EN')
})

test('the command installs the hardened service of the package', async () => {
  const output = await runPretending(agentCommands.systemd(enrolment))
  const unit = await readFile(new URL('pult-edge.service', import.meta.url), 'utf8')
  expect(output.replace(/ --server \S+ --code \S+/, '')).toContain(unit)
  expect(output).toContain('sudo curl -fsSo /opt/pult-edge/edge-agent.mjs ')
  expect(output).toContain('sudo systemctl restart pult-edge')
})

test.each([
  ['http://localhost:8080', true],
  ['http://127.0.0.1:8080', true],
  ['http://[::1]:8080', true],
  ['https://pult.example.org', false],
  ['http://192.168.1.20:8080', false],
])('whether the address %s works only on this machine: %s', (origin, isLocal) => {
  expect(isLocalAddress(origin)).toBe(isLocal)
})
