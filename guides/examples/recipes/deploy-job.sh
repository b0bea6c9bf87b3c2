#!/bin/sh
# A step of a CI job, with HOLDPOINT_URL and HOLDPOINT_AGENT_TOKEN as secrets. Started again, the job goes on with its ask.
set -eu
holdpoint ask --approve "Deploy $CI_COMMIT to production?" --label "$CI_JOB" \
  --key "deploy $CI_COMMIT" --timeout 2h
echo "deploying $CI_COMMIT"
