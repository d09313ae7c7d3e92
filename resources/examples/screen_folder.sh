#!/bin/sh
# Screen every layer of applications in a folder and write one table of all their sites.
#
#   screen_folder.sh FOLDER OUT --ORDINANCE=lake_george --DEM=dem.tif --WATERCOURSES=streams.gpkg ...
#
# FOLDER  holds one GeoPackage or shapefile of sites for each application
# OUT     gets one GeoPackage for each application, and table.csv with the sites of all of them;
#         the column `layer` of the table names the application
#
# Everything after OUT goes to stormwater:screensites as it stands. QGIS_PROCESS may name another
# qgis_process. The exit status is 1 if an application could not be screened; the others are in the
# table all the same.
set -u

if [ $# -lt 2 ]; then
    sed -n '2,12s/^# \{0,1\}//p' "$0"
    exit 2
fi
folder=$1
out=$2
shift 2
process=${QGIS_PROCESS:-qgis_process}
status=0
mkdir -p "$out" || exit 1

for sites in "$folder"/*.gpkg "$folder"/*.shp; do
    [ -e "$sites" ] || continue
    name=$(basename "$sites")
    name=${name%.*}
    echo "$name"
    if ! "$process" run stormwater:screensites "--SITES=$sites" "$@" \
        "--SCREENED=$out/$name.gpkg" >"$out/$name.log" 2>&1; then
        echo "$name: not screened, see $out/$name.log" >&2
        rm -f "$out/$name.gpkg"
        status=1
    fi
done

set --
for screened in "$out"/*.gpkg; do
    [ -e "$screened" ] && set -- "$@" "--LAYERS=$screened"
done
if [ $# -eq 0 ]; then
    echo "No application was screened." >&2
    exit 1
fi
"$process" run native:mergevectorlayers "$@" "--OUTPUT=$out/table.csv" >"$out/merge.log" 2>&1 ||
    { echo "The table cannot be written, see $out/merge.log" >&2; exit 1; }
echo "$out/table.csv"
exit $status
