// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page.h"

#include <QLayout>
#include <utility>

namespace idemdesk::ui {

Page::Page(Face face, QWidget *parent)
    : QWidget(parent)
    , m_face(std::move(face))
{
}

int Page::heightForWidth(int width) const
{
    return layout() != nullptr && layout()->hasHeightForWidth() ? layout()->totalMinimumHeightForWidth(width)
                                                                : QWidget::heightForWidth(width);
}

void Page::setTimeFormat(const models::TimeFormat &)
{
}

} // namespace idemdesk::ui
