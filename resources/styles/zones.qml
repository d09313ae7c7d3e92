<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.40.6-Bratislava" labelsEnabled="0" styleCategories="Symbology|Labeling|AttributeTable">
  <renderer-v2 referencescale="-1" attr="zone" symbollevels="0" type="categorizedSymbol" enableorderby="0" forceraster="0">
    <categories>
      <category value="not_infiltration_minor" uuid="{ceeb2126-1434-401d-890e-2e09b1166a29}" symbol="0" type="string" render="true" label="No infiltration (minor)"/>
      <category value="not_infiltration_minor_high_traffic" uuid="{ae7511d7-a7a2-4633-809c-a0efb7b9d9b2}" symbol="1" type="string" render="true" label="No infiltration (minor, high traffic)"/>
      <category value="not_infiltration_major" uuid="{b243d076-4fcc-40f3-bf15-19d89af47ed7}" symbol="2" type="string" render="true" label="No infiltration (major)"/>
      <category value="not_infiltration_major_high_traffic" uuid="{2c7cfd70-1717-45e8-b7f3-39a1a482747b}" symbol="3" type="string" render="true" label="No infiltration (major, high traffic)"/>
      <category value="infiltration_minor" uuid="{7246a8b1-d644-4e4a-aa09-7c171ef5d88f}" symbol="4" type="string" render="true" label="Infiltration (minor)"/>
      <category value="infiltration_minor_high_traffic" uuid="{52256e60-e4d1-4a2f-96a0-b30c49d294d0}" symbol="5" type="string" render="true" label="Infiltration (minor, high traffic)"/>
      <category value="infiltration_major" uuid="{107486d8-beb5-479e-b98c-995f5c31e8b2}" symbol="6" type="string" render="true" label="Infiltration (major)"/>
      <category value="infiltration_major_high_traffic" uuid="{1061a404-c5e5-4abe-826c-e5cc3f34b597}" symbol="7" type="string" render="true" label="Infiltration (major, high traffic)"/>
      <category value="zone_500ft" uuid="{2f3ea579-f037-4cbe-ac51-dd3bd5bf4ece}" symbol="8" type="string" render="true" label="500-ft zone"/>
      <category value="" uuid="{4618336c-efec-47a8-b72d-f2d34899a8f9}" symbol="9" type="string" render="true" label="Other zones"/>
    </categories>
    <symbols>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="0">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{3fe5be6e-98f2-42e8-90f3-8bbfc99f872d}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="201,79,79,255,rgb:0.78823529411764703,0.30980392156862746,0.30980392156862746,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="1">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{4751cf25-db06-40fd-89e4-d45bc98c7427}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="176,74,122,255,rgb:0.69019607843137254,0.29019607843137257,0.47843137254901963,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="2">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{04b9d208-d42c-44ed-96a5-2d7b5fb48519}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="156,58,58,255,rgb:0.61176470588235299,0.22745098039215686,0.22745098039215686,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="3">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{1e433729-29f5-4b58-9641-de1894a5f0a7}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="124,58,94,255,rgb:0.48627450980392156,0.22745098039215686,0.36862745098039218,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="4">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{9eac696c-f1c4-4e5e-b585-bc00eb3967dc}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="143,199,138,255,rgb:0.5607843137254902,0.7803921568627451,0.54117647058823526,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="5">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{96d94a0f-3c19-4f68-9d20-280d3f26cb32}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="121,184,164,255,rgb:0.47450980392156861,0.72156862745098038,0.64313725490196083,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="6">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{1e230850-5113-4859-84fd-6fecd79cb66f}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="95,165,90,255,rgb:0.37254901960784315,0.6470588235294118,0.35294117647058826,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="7">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{49791a62-56ce-4eda-96e5-fba1adbe5b31}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="76,143,130,255,rgb:0.29803921568627451,0.5607843137254902,0.50980392156862742,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="8">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{e3670492-8fb1-46c0-9a46-c41aa28162af}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="111,168,214,255,rgb:0.43529411764705883,0.6588235294117647,0.83921568627450982,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="9">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{52244615-e6a9-4421-bfef-47839d92448c}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="185,196,207,255,rgb:0.72549019607843135,0.7686274509803922,0.81176470588235294,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
    </symbols>
    <rotation/>
    <sizescale/>
    <data-defined-properties>
      <Option type="Map">
        <Option value="" type="QString" name="name"/>
        <Option name="properties"/>
        <Option value="collection" type="QString" name="type"/>
      </Option>
    </data-defined-properties>
  </renderer-v2>
  <selection mode="Default">
    <selectionColor invalid="1"/>
  </selection>
  <blendMode>0</blendMode>
  <featureBlendMode>0</featureBlendMode>
  <attributetableconfig sortExpression="" sortOrder="0" actionWidgetStyle="dropDown">
    <columns>
      <column width="-1" hidden="0" type="field" name="zone"/>
      <column width="-1" hidden="1" type="field" name="ev_areas"/>
      <column width="-1" hidden="1" type="field" name="ev_slope"/>
      <column width="-1" hidden="1" type="field" name="ev_water"/>
      <column width="-1" hidden="1" type="field" name="ev_near"/>
      <column width="-1" hidden="1" type="field" name="ev_setbk"/>
      <column width="-1" hidden="1" type="field" name="ev_device"/>
      <column width="-1" hidden="1" type="field" name="ev_infil"/>
      <column width="-1" hidden="1" type="field" name="ev_listed"/>
      <column width="-1" hidden="1" type="field" name="ev_soils"/>
      <column width="-1" hidden="0" type="actions"/>
    </columns>
  </attributetableconfig>
  <conditionalstyles>
    <rowstyles/>
    <fieldstyles/>
  </conditionalstyles>
  <storedexpressions/>
  <layerGeometryType>2</layerGeometryType>
</qgis>
