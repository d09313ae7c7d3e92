"""A town's own rules file: acres and metres, two texts of a number, no conditions."""

TOWN = """
schema = 1
id = "springfield"
title = "Town of Springfield"
municipality = "Town of Springfield"
from = 2010-01-01

[columns]
lda = "SP-1"

[class]
regulated = ["permit"]
default = "none_needed"
because = ["SP-1"]

[class.labels]
none_needed = "No permit"
permit = "Permit"

[[class.case]]
word = "permit"
when = "SP-1"

[rule.SP-1]
text = "disturbs half an acre or more (one acre until 2019)"

[[rule.SP-1.dated]]
from = 2010-01-01
until = 2019-12-31
section = "§ 1"
force = "shall"
fact = "disturbed"
comparison = ">="
value = 1
unit = "acre"

[[rule.SP-1.dated]]
from = 2020-01-01
section = "§ 1"
force = "shall"
fact = "disturbed"
comparison = ">="
value = 0.5
unit = "acre"

[rule.SP-2]
text = "within 30 m of a stream"
from = 2010-01-01
section = "§ 2"
force = "may"
fact = "water"
comparison = "<="
value = 30
unit = "m"

[rule.SP-3]
text = "both"
from = 2010-01-01
section = "§ 3"
force = "should"
all = ["SP-1", "SP-2"]
"""
