import { useState } from 'react'
import { pictureChoices, projectChoices } from './choices.ts'
import styles from './PictureCard.module.css'
import { RecordSelect } from './RecordSelect.tsx'
import { texts } from './stream-decks.texts.ts'

interface MediaChoiceProps {
  onChoose: (medium: { medium: string; project: string }) => void
}

/** Chooses a picture from the media of a project that the user can see. */
export function MediaChoice({ onChoose }: MediaChoiceProps) {
  const [project, setProject] = useState('')
  return (
    <div className={styles.media}>
      <RecordSelect
        label={texts.mediaOf}
        searchLabel={texts.findProject}
        choices={projectChoices}
        value={project}
        none={texts.noMediaOf}
        onChange={(chosen) => setProject(chosen?._id ?? '')}
      />
      {project !== '' && (
        <RecordSelect
          // Another project has another search.
          key={project}
          label={texts.medium}
          searchLabel={texts.findPicture}
          choices={pictureChoices(project)}
          value=""
          emptyText={texts.noMedia}
          onChange={(chosen) => chosen && onChoose({ medium: chosen._id, project })}
        />
      )}
    </div>
  )
}
