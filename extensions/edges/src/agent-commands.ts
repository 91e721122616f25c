import unit from './pult-edge.service?raw'

/** Ways to run the agent: in the open shell, as a systemd service, or in a container. */
export const runModes = ['try', 'systemd', 'container'] as const
export type RunMode = (typeof runModes)[number]

interface Enrolment {
  /** The address of the server. */
  origin: string
  code: string
}

const agentOf = (origin: string) => `${origin}/api/edges/edge-agent.mjs`

/** Returns the unit of the package. Its code is used once; later starts read the stored state. */
const unitOf = ({ origin, code }: Enrolment) =>
  unit.trimEnd().replace(/^ExecStart=.*$/m, `$& --server ${origin} --code ${code}`)

/** Returns the commands to paste on the machine. Each downloads the agent from this server and starts it. */
export const agentCommands: Record<RunMode, (enrolment: Enrolment) => string> = {
  try: ({ origin, code }) =>
    `curl -fsSO ${agentOf(origin)} &&\nnode edge-agent.mjs --server ${origin} --code ${code}`,

  systemd: (enrolment) =>
    `sudo mkdir -p /opt/pult-edge &&
sudo curl -fsSo /opt/pult-edge/edge-agent.mjs ${agentOf(enrolment.origin)} &&
sudo tee /etc/systemd/system/pult-edge.service > /dev/null <<'END' &&
${unitOf(enrolment)}
END
sudo systemctl enable pult-edge && sudo systemctl restart pult-edge`,

  container: ({ origin, code }) =>
    `docker run -d --init --name pult-edge --hostname "$(hostname)" --restart unless-stopped \\
  -v pult-edge:/var/lib/pult-edge node:24 sh -c \\
  'curl -fsSo /tmp/edge-agent.mjs ${agentOf(origin)} && exec node /tmp/edge-agent.mjs --server ${origin} --code ${code}'`,
}

/** Returns whether only this machine can reach the address. */
export const isLocalAddress = (origin: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname)
