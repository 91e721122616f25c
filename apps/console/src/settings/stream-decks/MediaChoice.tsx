import { mediaEndpoints } from '@pult/contract'
import { SelectField } from '@pult/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#platform/api.ts'
import { useProjectList } from '../../projects/project-list.queries.ts'
import styles from './PictureCard.module.css'
import { texts } from './stream-decks.texts.ts'

interface MediaChoiceProps {
  onChoose: (medium: { medium: string; project: string }) => void
}

/** Chooses a picture from the media of a project that the user can see. */
export function MediaChoice({ onChoose }: MediaChoiceProps) {
  const [project, setProject] = useState('')
  const projects = useProjectList('').items ?? []
  const { data: media = [], isFetched } = useQuery({
    queryKey: ['stream-decks', 'media', project],
    queryFn: async ({ signal }) =>
      (
        await api(mediaEndpoints.list, {
          params: { projectId: project },
          query: { search: 'type:image', limit: '200' },
          signal,
        })
      ).items,
    enabled: project !== '',
    // Users without access to a project's media get an error, which is not retried.
    retry: false,
  })
  return (
    <div className={styles.media}>
      <SelectField label={texts.mediaOf} value={project} onChange={({ target }) => setProject(target.value)}>
        <option value="">{texts.noMediaOf}</option>
        {projects.map(({ _id, label }) => (
          <option key={_id} value={_id}>
            {label}
          </option>
        ))}
      </SelectField>
      {isFetched && (
        <SelectField
          label={texts.medium}
          value=""
          onChange={({ target }) => onChoose({ medium: target.value, project })}
        >
          <option value="" disabled>
            {media.length === 0 ? texts.noMedia : ''}
          </option>
          {media.map(({ _id, label }) => (
            <option key={_id} value={_id}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  )
}
