"""`python -m clearband`."""

import sys

from clearband.cli import main

sys.exit(main())
