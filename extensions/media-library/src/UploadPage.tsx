import { AskForAccess, usePageTitle, useProject, useRole } from '@pult/sdk'
import { BackToList, Card, EmptyState, FileUpload } from '@pult/sdk/ui'
import { accepted } from './accepted.ts'
import styles from './library.module.css'
import { useAddMedium } from './media.queries.ts'
import { texts } from './media.texts.ts'

/** The address that creates media by uploading files. */
export function UploadPage() {
  usePageTitle(texts.upload)
  const { _id: projectId } = useProject()
  const mayEdit = useRole('media-library:edit')
  const add = useAddMedium()
  return (
    <div className={styles.medium}>
      <BackToList>{texts.back}</BackToList>
      <Card title={texts.upload}>
        {mayEdit ? (
          <FileUpload
            accept={accepted}
            multiple
            project={projectId}
            onUploaded={({ filename }) => add(filename)}
          />
        ) : (
          <EmptyState
            title={texts.uploadRefused}
            action={<AskForAccess needs="media-library:edit" subject={texts.addingMedia} />}
          />
        )}
      </Card>
    </div>
  )
}
