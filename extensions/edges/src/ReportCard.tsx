import { useFormat } from '@pult/sdk'
import type { Edge } from '@pult/sdk/api'
import { Alert, Card, formatBytes } from '@pult/sdk/ui'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { Fact } from './Fact.tsx'
import { Meter } from './Meter.tsx'
import { inTime, isUnknown, loadShare, usedShare } from './measures.ts'

/** The values that the edge reports about its machine. */
export function ReportCard({ edge }: { edge: Edge }) {
  const format = useFormat()
  const { report } = edge
  if (report === null)
    return (
      <Card title={texts.report}>
        <p className={styles.quiet}>{texts.noReport}</p>
      </Card>
    )
  const { memory, disk } = report
  const unknown = Object.entries(report.missing ?? {})
  return (
    <Card title={texts.report} flush>
      {edge.state !== 'online' && (
        <div className={styles.inset}>
          <Alert tone="warning">{texts.staleReport}</Alert>
        </div>
      )}
      <dl className={styles.facts}>
        {edge.offlineSince !== null && (
          <Fact name={texts.offlineSince}>{format.instant(edge.offlineSince)}</Fact>
        )}
        <Fact name={texts.host}>{report.hostname || texts.noValue}</Fact>
        <Fact name={texts.platform}>{report.platform || texts.noValue}</Fact>
        <Fact name={texts.version}>{edge.version ?? texts.noValue}</Fact>
        <Fact name={texts.load}>
          {loadShare(edge) === null ? (
            texts.noValue
          ) : (
            <Meter
              label={texts.load}
              share={loadShare(edge)}
              text={texts.loadOf(report.load[0], report.cores)}
            />
          )}
        </Fact>
        <Fact name={texts.memory}>
          {memory.total === 0 ? texts.noValue : <Space label={texts.memory} space={memory} />}
        </Fact>
        <Fact name={texts.disk}>
          {disk === null ? texts.noValue : <Space label={texts.disk} space={disk} />}
        </Fact>
        <Fact name={texts.addresses}>
          {report.addresses.length === 0 ? (
            isUnknown(report, 'addresses') ? (
              texts.noValue
            ) : (
              texts.noAddresses
            )
          ) : (
            <span className={styles.addresses}>
              {report.addresses.map((address) => (
                <code key={address}>{address}</code>
              ))}
            </span>
          )}
        </Fact>
        <Fact name={texts.uptime}>{isUnknown(report, 'uptime') ? texts.noValue : inTime(report.uptime)}</Fact>
        <Fact name={texts.agentUptime}>{inTime(report.agentUptime)}</Fact>
        {edge.enrolledAt !== null && <Fact name={texts.enrolledAt}>{format.instant(edge.enrolledAt)}</Fact>}
        {unknown.length > 0 && (
          <Fact name={texts.notReportedParts}>
            {unknown.map(([part, reason]) => (
              <p key={part}>{texts.unknownPart(part, reason)}</p>
            ))}
          </Fact>
        )}
      </dl>
    </Card>
  )
}

function Space({ label, space }: { label: string; space: { total: number; free: number } }) {
  const text = texts.spaceOf(formatBytes(space.total - space.free), formatBytes(space.total))
  return <Meter label={label} share={usedShare(space)} text={text} />
}
