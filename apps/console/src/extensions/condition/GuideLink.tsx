import { ButtonLink } from '@pult/ui'
import BookOpen from 'lucide-react/icons/book-open'

type Guide = 'backup' | 'install' | 'mail' | 'scale' | 'settings'

/** Opens a guide of this version, which the server serves itself. */
export const GuideLink = ({ guide, children }: { guide: Guide; children: string }) => (
  <ButtonLink href={`/api/guides/${guide}`} external icon={<BookOpen aria-hidden="true" />}>
    {children}
  </ButtonLink>
)
