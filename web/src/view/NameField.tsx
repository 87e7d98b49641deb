import { LONGEST_NAME } from '../app/name';
import { t } from '../text/text';

export function NameField({ name, rename }: { name: string; rename: (name: string) => void }) {
  return (
    <label class="field">
      <span>{t('your_name')}</span>
      <input
        dir="auto"
        value={name}
        maxLength={LONGEST_NAME}
        autocomplete="nickname"
        title={t('name_hint')}
        data-testid="name"
        onInput={event => rename(event.currentTarget.value)}
      />
    </label>
  );
}
