import { useProject } from '@pult/sdk'
import { Card } from '@pult/sdk/ui'

export function OverviewTab() {
  const { label } = useProject()
  return <Card title={label} />
}
