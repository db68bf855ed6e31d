/*
 * What version 1.0 did when a phase said nothing: it looked at the repository. The compiler cannot, so the step does.
 */

/** Installs what the usual files of a repository ask for. */
export const inferredDependencies = [
  'if [ -f Gemfile ]; then bundle check --path=vendor/bundle || bundle install --path=vendor/bundle; fi',
  'if [ -f package.json ]; then if [ -f yarn.lock ]; then yarn install; else npm install; fi; fi',
  'if [ -f requirements.txt ]; then pip install -r requirements.txt; fi',
  'if [ -f pom.xml ]; then mvn dependency:resolve; fi',
].join('\n')

/** Runs the usual tests of a repository. */
export const inferredTests = [
  'if [ -d spec ] && [ -f Gemfile ]; then bundle exec rspec spec; fi',
  `if [ -f package.json ] && grep -q '"test"' package.json; then npm test; fi`,
  'if [ -f manage.py ]; then python manage.py test; fi',
  'if [ -f pom.xml ]; then mvn integration-test; fi',
].join('\n')
