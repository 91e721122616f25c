import { useAppNavigate, useRole } from '@pult/sdk'
import { type EdgeJobTarget, limits } from '@pult/sdk/api'
import { Button } from '@pult/sdk/ui'
import ListChecks from 'lucide-react/icons/list-checks'
import { useState } from 'react'
import { useEdgeGroups } from '../edges.queries.ts'
import { JobDialog } from './JobDialog.tsx'
import { texts } from './jobs.texts.ts'

/** Starts a job for a selection of edges. */
export function RunJobForEdges({ edges }: { edges: readonly string[] }) {
  return (
    <RunJob
      title={texts.runOn(edges.length)}
      target={{ edges: [...edges] }}
      variant="ghost"
      disabled={edges.length > limits.edgeJobEdgesMax}
    />
  )
}

/** Opens the jobs of the project, and starts one for the chosen group. */
export function JobTools({ group: groupId }: { group: string | null }) {
  const navigate = useAppNavigate()
  const mayManage = useRole('edges:manage')
  const { data: groups } = useEdgeGroups()
  const group = groups?.find(({ _id }) => _id === groupId)
  return (
    <>
      {mayManage && group !== undefined && (
        <RunJob title={texts.runOnGroup(group.label)} target={{ group: group._id }} />
      )}
      <Button onClick={() => navigate('jobs')}>{texts.jobs}</Button>
    </>
  )
}

interface RunJobProps {
  title: string
  target: EdgeJobTarget
  variant?: 'ghost'
  disabled?: boolean
}

function RunJob({ title, target, variant, disabled }: RunJobProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        {...(variant !== undefined && { variant })}
        icon={<ListChecks />}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {texts.run}
      </Button>
      {isOpen && <JobDialog title={title} target={target} onClose={() => setOpen(false)} />}
    </>
  )
}
