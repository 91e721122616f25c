import { ButtonLink, Card, EmptyState } from '@pult/ui'
import FolderPlus from 'lucide-react/icons/folder-plus'
import { texts } from './home.texts.ts'

export function NoProject() {
  return (
    <Card>
      <EmptyState
        level={1}
        icon={<FolderPlus aria-hidden="true" />}
        title={texts.noProject}
        text={texts.noProjectText}
        action={
          <ButtonLink variant="primary" href="/projects/create">
            {texts.createProject}
          </ButtonLink>
        }
      />
    </Card>
  )
}
