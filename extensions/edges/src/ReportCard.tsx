import { useFormat } from '@pult/sdk'
import type { Edge } from '@pult/sdk/api'
import { Alert, Card, formatBytes } from '@pult/sdk/ui'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { Fact } from './Fact.tsx'
import { Meter } from './Meter.tsx'
import { inTime, loadShare, usedShare } from './measures.ts'

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
        <Fact name={texts.host}>{report.hostname}</Fact>
        <Fact name={texts.platform}>{report.platform}</Fact>
        <Fact name={texts.version}>{edge.version ?? texts.noValue}</Fact>
        <Fact name={texts.load}>
          <Meter
            label={texts.load}
            share={loadShare(edge)}
            text={texts.loadOf(report.load[0], report.cores)}
          />
        </Fact>
        <Fact name={texts.memory}>
          <Space label={texts.memory} space={memory} />
        </Fact>
        <Fact name={texts.disk}>
          {disk === null ? texts.noValue : <Space label={texts.disk} space={disk} />}
        </Fact>
        <Fact name={texts.addresses}>
          {report.addresses.length === 0 ? (
            texts.noAddresses
          ) : (
            <span className={styles.addresses}>
              {report.addresses.map((address) => (
                <code key={address}>{address}</code>
              ))}
            </span>
          )}
        </Fact>
        <Fact name={texts.uptime}>{inTime(report.uptime)}</Fact>
        <Fact name={texts.agentUptime}>{inTime(report.agentUptime)}</Fact>
        {edge.enrolledAt !== null && <Fact name={texts.enrolledAt}>{format.instant(edge.enrolledAt)}</Fact>}
      </dl>
    </Card>
  )
}

function Space({ label, space }: { label: string; space: { total: number; free: number } }) {
  const text = texts.spaceOf(formatBytes(space.total - space.free), formatBytes(space.total))
  return <Meter label={label} share={usedShare(space)} text={text} />
}
