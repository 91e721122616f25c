import { useCall } from '@pult/sdk'
import { projectEndpoints } from '@pult/sdk/api'
import type { AuditRow } from '@pult/sdk/api/root'
import { Button, CopyButton, Dialog, formatInstant, ScrollRegion } from '@pult/sdk/ui'
import styles from './audit.module.css'
import { labelOf, texts } from './audit.texts.ts'
import { actorNameOf, targetOf } from './names.ts'

interface EventDialogProps {
  row: AuditRow
  open: boolean
  onClose: () => void
}

/** All recorded data of one event, as text and as JSON. */
export function EventDialog({ row, open, onClose }: EventDialogProps) {
  const { _id, at, event, result, target, project, address } = row
  const ofProject = project === null ? null : { params: { projectId: project } }
  // The project may have been deleted.
  const { data: itsProject } = useCall(projectEndpoints.read, ofProject, { retry: false })
  const json = JSON.stringify(row, null, 2)
  const about = targetOf(row)
  return (
    <Dialog
      open={open}
      title={labelOf(event)}
      size="lg"
      onClose={onClose}
      footer={
        <>
          <CopyButton text={json} copiedLabel={texts.copied} failedLabel={texts.copyFailed}>
            {texts.copy}
          </CopyButton>
          <Button variant="primary" onClick={onClose}>
            {texts.close}
          </Button>
        </>
      }
    >
      <dl className={styles.facts}>
        <Fact name={texts.when} value={formatInstant(at)} />
        <Fact name={texts.who} value={actorNameOf(row)} />
        <Fact name={texts.result} value={result === 'success' ? texts.success : texts.failure} />
        <Fact
          name={texts.target}
          value={about === target ? about : [about, target].filter(Boolean).join(' · ')}
        />
        {project !== null && <Fact name={texts.project} value={itsProject?.label ?? project} />}
        <Fact name={texts.address} value={address ?? ''} />
        {changesIn(row.detail).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
        <Fact name={texts.event} value={event} />
        <Fact name={texts.id} value={_id} />
      </dl>
      <h3 className={styles.jsonTitle}>{texts.asJson}</h3>
      <ScrollRegion as="pre" className={styles.json} role="region" aria-label={texts.asJson}>
        {json}
      </ScrollRegion>
    </Dialog>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  if (value === '') return null
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** The event's details: each field with its new value, and its previous value if known. Their JSON follows. */
function changesIn({
  from,
  about: _shownAlready,
  ...detail
}: AuditRow['detail']): [name: string, value: string][] {
  const former = typeof from === 'object' && from !== null ? (from as Record<string, unknown>) : {}
  const fields = Object.entries(detail).map(([name, value]): [string, string] => [
    name,
    name in former ? `${inWords(value)} (${texts.before(inWords(former[name]))})` : inWords(value),
  ])
  return typeof from === 'string' ? [...fields, [texts.formerly, from]] : fields
}

/** Names the parts of lists and objects: "key: play, name: run, values (list: night)". */
function inWords(value: unknown): string {
  if (value === null || value === undefined) return texts.noValue
  if (!isObject(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  const parts = Array.isArray(value)
    ? value.map(inWords)
    : Object.entries(value).map(([name, part]) =>
        isObject(part) ? `${name} (${inWords(part)})` : `${name}: ${inWords(part)}`,
      )
  return parts.length === 0 ? texts.noValue : parts.join(', ')
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
