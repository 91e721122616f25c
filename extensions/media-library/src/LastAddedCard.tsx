import { AppLink, defineCard, useAppPath, useRole } from '@pult/sdk'
import { type MediaItem, mediaEndpoints } from '@pult/sdk/api'
import { ButtonLink, EmptyState, MediaImage } from '@pult/sdk/ui'
import Images from 'lucide-react/icons/images'
import styles from './library.module.css'
import { texts } from './media.texts.ts'

export default defineCard<readonly MediaItem[]>({
  topic: ({ project }) => `/projects/${project?._id}/media`,
  async read({ project, call, signal }) {
    const params = { projectId: project?._id ?? '' }
    const query = { limit: '3', search: 'type:image' }
    return (await call(mediaEndpoints.list, { params, query, signal, background: true })).items
  },
  Component: ({ data }) => (data.length === 0 ? <Nothing /> : <Pictures pictures={data} />),
})

/** Renders the empty state, because the host's text of an empty card has no action. */
function Nothing() {
  const path = useAppPath()
  return (
    <EmptyState
      icon={<Images aria-hidden="true" />}
      title={texts.noPictures}
      level={3}
      action={useRole('media-library:edit') && <ButtonLink href={path('create')}>{texts.upload}</ButtonLink>}
    />
  )
}

const Pictures = ({ pictures }: { pictures: readonly MediaItem[] }) => (
  <ul className={styles.lastAdded}>
    {pictures.map(({ _id, label, source }) => (
      <li key={_id}>
        <AppLink to={`edit/${_id}`} className={styles.lastAddedLink ?? ''}>
          <MediaImage source={source} alt="" sizes="200px" className={styles.lastAddedPicture} />
          <span className={styles.lastAddedLabel}>{label}</span>
        </AppLink>
      </li>
    ))}
  </ul>
)
