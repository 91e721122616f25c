import { Alert, CopyButton } from '@pult/sdk/ui'
import { useState } from 'react'
import { agentCommands, isLocalAddress, type RunMode, runModes } from './agent-commands.ts'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'

interface AgentCommandProps {
  /** Code of one edge, or an enrolment key. */
  code: string
  /** Explains how often and until when the code works. */
  note: string
}

/** Shows the command that starts the agent on a machine, for each way to run it. */
export function AgentCommand({ code, note }: AgentCommandProps) {
  const { origin } = window.location
  const [mode, setMode] = useState<RunMode>('try')
  const command = agentCommands[mode]({ origin, code })
  return (
    <>
      <fieldset className={styles.modes}>
        <legend>{texts.runMode}</legend>
        {runModes.map((each) => (
          <label key={each}>
            <input type="radio" name="run-mode" checked={each === mode} onChange={() => setMode(each)} />
            {texts.runModes[each].label}
          </label>
        ))}
      </fieldset>
      <p>{texts.runModes[mode].text}</p>
      {isLocalAddress(origin) && <Alert tone="warning">{texts.localAddress(origin)}</Alert>}
      <textarea
        className={styles.commandText}
        aria-label={texts.command}
        readOnly
        rows={mode === 'try' ? 4 : 9}
        value={command}
        onFocus={({ target }) => target.select()}
      />
      <div className={styles.commandActions}>
        <span className={styles.quiet}>{note}</span>
        <CopyButton text={command} copiedLabel={texts.copied} failedLabel={texts.copyFailed}>
          {texts.copy}
        </CopyButton>
      </div>
    </>
  )
}
