import { LeaveDialog } from '#platform/unsaved-input/LeaveDialog.tsx'
import { discardUnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'
import { openProject, pendingProject } from './open-project.ts'

/** Asks before another project discards unsaved input. */
export function OpenProjectDialog({ onClose }: { onClose: () => void }) {
  const leave = () => {
    const project = pendingProject.get()
    onClose()
    discardUnsavedInput()
    if (project !== null) openProject(project)
  }
  return <LeaveDialog open onStay={onClose} onLeave={leave} />
}
